import { humaneval } from './humaneval.ts'
import { humanevalJs } from './humaneval-js.ts'
import { mbpp } from './mbpp.ts'
import { native } from './native.ts'
import { quixbugs } from './quixbugs.ts'
import type { Importer } from './suite.ts'

/** All importers. The name before the colon of `NAME:PATH` selects one. */
export const importers: readonly Importer[] = [native, humaneval, humanevalJs, mbpp, quixbugs]
