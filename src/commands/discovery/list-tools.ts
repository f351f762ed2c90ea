import { join } from 'node:path'
import { z } from 'zod'
import { searchTools, type ToolEntry, tools } from '../../../strategies/tools/registry.ts'
import { packageRoot } from '../../base/package-root.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { BuildResults, TestGenResults, TestResults } from '../../schema/stage/tool-reports.ts'
import { UserError } from '../../text/errors.ts'

const reports = { test_results: TestResults, build_results: BuildResults, test_gen_results: TestGenResults }

/** `bench tools [words…]`: lists the external tools, or those that the words find; `show NAME` describes one. It starts none. */
export default async function listTools(
  words: readonly string[],
  options: { json?: boolean },
): Promise<number> {
  const [first, name, ...more] = words
  if (first === 'show') {
    const tool = findTool(name, more)
    const schema = z.toJSONSchema(reports[tool.state_key])
    process.stdout.write(
      options.json ? `${JSON.stringify({ ...located(tool), schema }, null, 2)}\n` : describe(tool),
    )
    return 0
  }
  const found = words.length === 0 ? [...tools] : searchTools(words.join(' '))
  if (found.length === 0)
    throw new UserError({
      where: `tools ${words.join(' ')}`,
      what: 'no tool has all these words',
      fix: 'Use fewer words, or run bench tools to list all.',
    })
  if (options.json) process.stdout.write(`${JSON.stringify(found.map(located), null, 2)}\n`)
  else for (const tool of found) process.stdout.write(`${tool.name.padEnd(16)} ${tool.description}\n`)
  return 0
}

function findTool(name: string | undefined, more: readonly string[]): ToolEntry {
  const names = tools.map((tool) => tool.name)
  if (name === undefined || more.length > 0)
    throw new UserError({
      where: 'tools show',
      what:
        name === undefined ? 'needs the name of a tool' : `takes one name, and ${more.length + 1} were given`,
      fix: `Name one of ${names.join(', ')}.`,
    })
  const found = tools.find((tool) => tool.name === name)
  if (found) return found
  throw new UserError(unknownName(`tools show ${name}`, 'tool', name, names, 'bench tools'))
}

const located = (tool: ToolEntry): ToolEntry => ({ ...tool, program: join(packageRoot(), tool.program) })

function describe(tool: ToolEntry): string {
  const rows = (parts: ToolEntry['inputs']) =>
    parts.map(({ name, description }) => `  ${name.padEnd(20)} ${description}`)
  return [
    `${tool.name}: ${tool.description}`,
    '',
    `Start      node ${located(tool).program}`,
    `State key  ${tool.state_key}`,
    `Tags       ${tool.tags.join(', ')}`,
    '',
    'Inputs',
    ...rows(tool.inputs),
    '',
    'Outputs, as JSON on one line',
    ...rows(tool.outputs),
    '',
  ].join('\n')
}
