import { fuzzReaders } from '../helpers/fuzz-readers.ts'

fuzzReaders(200, 1)
