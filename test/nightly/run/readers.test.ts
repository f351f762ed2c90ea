import { fuzzReaders } from '../../helpers/fuzz/fuzz-readers.ts'

fuzzReaders(20, 1)
