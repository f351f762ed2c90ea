import { fuzzOf } from '../../helpers/fuzz/fuzz.ts'
import { fuzzKeptFiles } from '../../helpers/fuzz/fuzz-kept-files.ts'

fuzzKeptFiles(fuzzOf(6, 1))
