import type { RequestTools } from '../../agent.ts'

/** Where vendors say by a number which tool they refuse: Google's list stands in the first entry of another one. */
const places = [/function_?declarations\[(\d+)\]/i, /\btools(?:\.|\[)(\d+)/i]

/** Returns a vendor's message with the name of the tool that it counts, such as `tools.3.custom.input_schema`. */
export function withToolName(message: string, { definitions }: Pick<RequestTools, 'definitions'>): string {
  const [number] = places.flatMap((place) => place.exec(message)?.[1] ?? [])
  const name = number === undefined ? undefined : definitions[Number(number)]?.name
  return name === undefined || message.includes(name) ? message : `${message} (the tool ${name})`
}
