/**
 * What servers say when a model, or the way in which they were started, takes no tools: Ollama, OpenRouter, llama.cpp, vLLM, Gemini
 * with Gemma, DeepSeek, Groq, OpenAI.
 */
const refusals: readonly RegExp[] = [
  /(?:does not|doesn't|do not) support (?:the )?(?:use of )?(?:tools?\b|tool[ _-]?(?:use|call|choice)|function[ _-]?call)/i,
  /no endpoints found that support (?:the provided )?['"`]?tool/i,
  /tools? param(?:eter)? (?:requires|is not)/i,
  /requires --enable-auto-tool-choice/i,
  /(?:\btools?|tool[ _-]?(?:use|calls?|calling|choice)|function[ _-]?calls?(?:ing)?|functions)['"`]? (?:is|are) (?:not (?:enabled|supported|available|allowed)|unsupported)/i,
]

/** Whether a server's message says that it takes no tools. */
export const refusesTools = (message: string): boolean => refusals.some((refusal) => refusal.test(message))

/** Returns the message for an agent that takes no tools, with the server's own words. */
export const noToolsMessage = (agent: string, words: string): string =>
  `${agent} takes no tools (its server says "${words}"); use \`--tools none\`, or a model or server that takes tools`
