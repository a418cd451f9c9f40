module demo.example

go 1.24
