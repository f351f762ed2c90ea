import { fuzzReaders } from '../helpers/fuzz/fuzz-readers.ts'

fuzzReaders(10_000, Date.now() % 2 ** 31)
