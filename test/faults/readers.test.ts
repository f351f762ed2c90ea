import { fuzzReaders } from '../helpers/fuzz/fuzz-readers.ts'

fuzzReaders(1_500, Date.now() % 2 ** 31)
