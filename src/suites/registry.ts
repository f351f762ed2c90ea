import { bbh } from './bbh.ts'
import { exercism } from './exercism/exercism.ts'
import { gsm8k } from './gsm8k.ts'
import { humaneval } from './humaneval.ts'
import { humanevalJs } from './humaneval-js.ts'
import { math } from './math.ts'
import { mbpp } from './mbpp.ts'
import { mmluPro } from './mmlu-pro.ts'
import { native } from './native.ts'
import { csv } from './questions/csv.ts'
import { jsonl } from './questions/jsonl.ts'
import { quixbugs } from './quixbugs.ts'
import type { Importer } from './suite.ts'

/** All importers. The name before the colon of `NAME:PATH` selects one. */
export const importers: readonly Importer[] = [
  native,
  csv,
  jsonl,
  gsm8k,
  bbh,
  math,
  mmluPro,
  humaneval,
  humanevalJs,
  mbpp,
  quixbugs,
  exercism,
]
