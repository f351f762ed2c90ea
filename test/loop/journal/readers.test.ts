import { fuzzReaders } from '../../helpers/fuzz/fuzz-readers.ts'

fuzzReaders(40, 1)
