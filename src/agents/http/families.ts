import { anthropic } from './anthropic.ts'
import type { Family } from './family.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'

/** All providers over HTTP. A new one needs one file and one entry here. */
export const families: readonly Family[] = [anthropic, openai, google, openaiCompatible]
