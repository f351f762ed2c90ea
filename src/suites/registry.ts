import { humaneval } from './humaneval.ts'
import { native } from './native.ts'
import type { Importer } from './suite.ts'

/** Every importer, found by the name before the colon of `NAME:PATH`. */
export const importers: readonly Importer[] = [native, humaneval]
