import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files of a task folder by path. */
export type Texts = Record<string, string | Buffer>

/** Writes them into a folder below `root`, and gives its path. */
export function writeTexts(root: string, folder: string, texts: Texts): string {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, folder, path)), { recursive: true })
    writeFileSync(join(root, folder, path), text)
  }
  return join(root, folder)
}

/** A `task.yaml` with what all tasks have, and this. */
export const yaml = (id: string, rest: string) => `id: ${id}
version: 1
title: A task
licence: MIT
source: test
properties: {}
${rest}`

/** The `task.yaml` of a small code task. */
export const codeYaml = (id = 'sum') =>
  yaml(
    id,
    `output: function
language: javascript
entryPoint: add
editable: [sum.mjs]
checks: { runner: node-test, expectTests: 1 }
graders:
  - kind: tests
    runner: node-test
    expectTests: 2
`,
  )

/** All files of that task. */
export const code: Texts = {
  'task.yaml': codeYaml(),
  'instruction.md': 'Write add.\n',
  'files/sum.mjs': 'export function add() {}\n',
  'checks/sum.test.mjs': 'visible',
  'tests/sum.test.mjs': 'hidden',
  'tests/data/a.json': '{}',
  'solution/sum.mjs': 'export function add(a, b) { return a + b }\n',
}

/** An answer task. */
export const answer: Texts = {
  'task.yaml': yaml('riddle', 'output: answer\ngraders:\n  - kind: exact\n'),
  'instruction.md': 'What?',
  'solution/answer.txt': 'an egg\n',
}
