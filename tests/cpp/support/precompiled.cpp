// Holds nothing: CMake compiles the header of GoogleTest with this file, for all tests.
