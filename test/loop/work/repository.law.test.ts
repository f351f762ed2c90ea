import { fuzzOf } from '../../helpers/fuzz/fuzz.ts'
import { fuzzKeptFiles } from '../../helpers/fuzz/fuzz-kept-files.ts'
import { level } from '../../helpers/house/level.ts'

fuzzKeptFiles(fuzzOf(level(3, 400), 1))
