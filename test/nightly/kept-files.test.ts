import { fuzzOf } from '../helpers/fuzz/fuzz.ts'
import { fuzzKeptFiles } from '../helpers/fuzz/fuzz-kept-files.ts'

fuzzKeptFiles(fuzzOf(400, 7))
