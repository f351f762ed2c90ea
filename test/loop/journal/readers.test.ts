import { fuzzReaders } from '../../helpers/fuzz/fuzz-readers.ts'

fuzzReaders(100, 1)
