import { expect, it } from 'vitest'
import { openOwnRun } from '../../src/commands/open/open-run.ts'
import compare from '../../src/commands/compare.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'
