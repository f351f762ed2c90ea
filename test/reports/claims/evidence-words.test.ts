import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@babel/parser'
import { expect, it } from 'vitest'
import { evidence, kinds } from '../../../src/analysis/evidence.ts'
import { root } from '../../helpers/runs/cli.ts'

/** Words of kinds of rows; `aria-live` is an attribute of HTML. */
const words = new RegExp(
  `(?<!aria-)\\b(?:${kinds.flatMap((kind) => evidence[kind].words).join('|')})\\b`,
  'i',
)
/** Names of fields and of providers, and the columns of the profile itself: no text about rows. */
const names: readonly (readonly [file: string, text: string])[] = [
  // The key of a column, of a reason, and of a note about time.
  ['comparison/comparison-notes.ts', 'simulated'],
  ['comparison/pair-columns.ts', 'simulated'],
  ['claims/sure.ts', 'simulated'],
  ['figures/ranks.ts', 'simulated'],
  ['formats/junit.ts', 'simulated'],
  ['formats/latex.ts', 'simulated'],
  ['html/method-table.ts', 'simulated'],
  ['story/story-step.ts', 'simulated'],
  ['tables/table.ts', 'simulated'],
  ['tables/method-data-columns.ts', 'profile'],
  ['tables/task-columns.ts', 'profile'],
  ['words/evidence-text.ts', 'profile'],
  ['words/evidence-text.ts', ' agents without a profile'],
  ['words/evidence-text.ts', 'describe profile '],
]

it('no module of the reports writes a word of a kind of rows by hand: all come from the table', () => {
  const folder = join(root, 'src/reports')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const found = files.flatMap((path) =>
    textsOf(join(folder, path))
      .filter((text) => words.test(text))
      .filter((text) => !names.some(([file, name]) => file === path && name === text))
      .map((text) => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})

/** The texts of a file but the places that it imports from. */
function textsOf(path: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as { type?: string; value?: unknown }
    if (type === 'ImportDeclaration' || type === 'TSLiteralType') return
    if (type === 'TemplateElement') found.push((value as { cooked: string }).cooked)
    else if (type === 'StringLiteral') found.push(String(value))
    else for (const one of Object.values(node)) visit(one)
  }
  visit(parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins: ['typescript'] }).program.body)
  return found
}
