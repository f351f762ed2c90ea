import { z } from 'zod'

/** The format in which a program asks its models: Anthropic Messages, OpenAI Responses, Chat Completions, Gemini. */
export const Wire = z.enum(['messages', 'responses', 'chat', 'gemini'])
export type Wire = z.infer<typeof Wire>
