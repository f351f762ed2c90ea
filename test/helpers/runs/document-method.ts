import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentAgent } from '../../../src/schema/agent/document-agent.ts'

/** The agents of a document, by role. */
export type AgentsByRole = Readonly<Record<string, Pick<DocumentAgent, 'name' | 'settings'>>>

/** A method of two roles, whose document names the agents of some. */
const strategy = `import { defineStrategy, UserError, z } from 'orchestration-bench'

export default defineStrategy({
  name: 'by-document',
  summary: 'The solver does the task, and the critic reads it where the document names one.',
  roles: { solver: 'produce' },
  rolesOf: ({ agents }) => ({ solver: 'produce', ...('critic' in agents && { critic: 'judge' }) }),
  options: z.strictObject({
    file: z.string().default(''),
    agents: z.record(z.string(), z.any()).default({}),
  }),
  document: 'file',
  resolve(options, documents) {
    if (options.file === '') return options
    const text = documents.read(options.file)
    if (text === undefined)
      throw new UserError({ where: options.file, what: 'there is no such file', fix: 'Name one.' })
    const agents = JSON.parse(text)
    const wrong = Object.entries(agents).flatMap(([role, { name, unread }]) => {
      const problem = unread ? undefined : documents.agentProblem(name)
      return problem ? [{ where: options.file + ':1 ' + role, ...problem }] : []
    })
    if (wrong.length > 0) throw new UserError(wrong)
    return { ...options, agents }
  },
  agentsOf: ({ file, agents }) =>
    Object.entries(agents).map(([role, { name, settings }]) => ({
      ...{ role, where: file + ':1 ' + role, name },
      ...(settings && { settings }),
    })),
  async run({ ask, instruction, options }) {
    const answer = await ask('solver', 'Do the task.')
    if ('critic' in options.agents) await ask('critic', 'Read it.', { show: { task: instruction, answer } })
    return { answer, stopReason: 'done' }
  },
})
`

/** Writes the method and a document of it into a folder; returns the method as written after `--methods`. */
export function writeDocumentMethod(folder: string, agents: AgentsByRole, document = 'agents.json'): string {
  const file = join(folder, document)
  const module = join(folder, 'by-document.mjs')
  writeFileSync(module, strategy)
  writeFileSync(file, JSON.stringify(agents))
  return `${module}:${file}`
}
