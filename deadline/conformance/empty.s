// This file is there so that the compiler lets functions have no body.
