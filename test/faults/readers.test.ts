import { fuzzReaders } from '../helpers/fuzz/fuzz-readers.ts'

fuzzReaders(700, Date.now() % 2 ** 31)
