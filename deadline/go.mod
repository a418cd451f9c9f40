module github.com/doneby/doneby/deadline

go 1.23.0
