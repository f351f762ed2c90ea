import { createListSplitter } from '../files/split-json-list.ts'

const token = /"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g
const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** Returns valid JSON as a Python literal. Numbers keep their digits: 3.0 is not 3, and a long whole number stays exact. */
export const pythonLiteral = (json: string): string =>
  json.trim().replace(token, (found) => words[found] ?? JSON.stringify(JSON.parse(found)))

/** Returns the items of a JSON list as texts; undefined for other JSON. */
export function jsonItems(json: string): string[] | undefined {
  const list = createListSplitter()
  const items = list.feed(json).map(({ text }) => text.trim())
  return list.problem() === undefined ? items : undefined
}
