import { fuzzReaders } from '../helpers/fuzz-readers.ts'

fuzzReaders(100, 1)
