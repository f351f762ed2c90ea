import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentsOfDocuments } from '../../../src/commands/agents/document-agents.ts'
import { readConfig } from '../../../src/commands/config/config-file.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { writeDocumentMethod } from '../../helpers/runs/document-method.ts'

it('bench doctor finds the agents of the documents that a config file’s methods name, and runs no strategy of a file', async () => {
  const folder = tempFolder()
  const settings = { baseUrl: 'http://127.0.0.1:1/v1' }
  const typed = writeDocumentMethod(folder, { solver: { name: 'own=ollama:m', settings } }, 'a.json')
  const critics = { solver: { name: 'own=ollama:m', settings }, critic: { name: 'openai:x' } }
  const entry = writeDocumentMethod(folder, critics, 'b.json')
  const labels = writeDocumentMethod(
    folder,
    { solver: { name: 'fast' }, critic: { name: 'nope:x' } },
    'c.json',
  )
  const path = join(folder, 'bench.config.yaml')
  const lines = [
    `run: { methods: ["${typed}", "L=${labels}", baseline, collaboration] }`,
    'agents: { fast: "ollama:fast" }',
    `methods: { entry: { strategy: "${entry}" } }`,
  ]
  writeFileSync(path, lines.join('\n'))
  const file = readConfig(path)
  expect(await agentsOfDocuments(file, () => true)).toMatchObject([
    { name: 'own=ollama:m', settings },
    { name: 'openai:x' },
  ])
  expect(await agentsOfDocuments(file)).toEqual([])
})
