class my-class {
}

