import { fuzzReaders } from '../helpers/fuzz/fuzz-readers.ts'

fuzzReaders(2_500, Date.now() % 2 ** 31)
