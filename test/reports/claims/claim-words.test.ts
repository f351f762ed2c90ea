import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@babel/parser'
import { expect, it } from 'vitest'
import { root } from '../../helpers/runs/cli.ts'

const words = /\b(better|worse|equivalent|cheaper|dearer|dominates?|costs (?:more|less)|is ahead)\b/
/** Where sentences are made from the table of claims, and where their words are explained. */
const homes = ['claims/', 'words/claim-words.ts', 'comparison/claim-notes.ts', 'comparison/definitions.ts']

it('no module of the reports holds a word of a claim but those that write from the table of claims', () => {
  const folder = join(root, 'src/reports')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !homes.some((home) => path.startsWith(home)),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap((path) => sentencesOf(join(folder, path)).map((text) => `${path}: ${text}`))).toEqual(
    [],
  )
})

/** The texts of a file that have several words, one of them of a claim. */
function sentencesOf(path: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as { type?: string; value?: unknown }
    const text = type === 'TemplateElement' ? (value as { cooked: string }).cooked : value
    if (
      /^(?:StringLiteral|TemplateElement)$/.test(type ?? '') &&
      / /.test(String(text)) &&
      words.test(String(text))
    )
      found.push(String(text))
    else for (const one of Object.values(node)) visit(one)
  }
  visit(parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins: ['typescript'] }).program.body)
  return found
}
