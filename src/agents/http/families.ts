import { anthropic } from './anthropic.ts'
import type { Family } from './family.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'

/** All vendors that are asked over HTTP. */
export const families: readonly Family[] = [anthropic, openai, google, openaiCompatible]
