import { isAbsolute } from 'node:path'
import { findOnPath } from '../../sandbox/tools/on-path.ts'
import type { Problem } from '../../text/errors.ts'
import { findConfig, readConfig } from '../config/config-file.ts'
import { toolEntryProblems } from '../config/config-tools.ts'
import type { NamedTool } from '../tools/named-tools.ts'
import { memoryFileNote, readDeclaredFiles, type ToolFiles } from '../tools/tool-files.ts'
import type { Finding } from './doctor-sandbox.ts'

/** Checks each tool of the config file: its files, and the program of its server, which is not started. */
export function toolFindings(): Finding[] {
  const path = findConfig()
  if (path === undefined) return []
  const file = readConfig(path)
  return Object.entries(file.config.tools ?? {}).map(([id, tool]) =>
    toolFinding(
      { id, tool, where: file.where('tools', id, 'config') },
      toolEntryProblems(id, tool, file.where),
    ),
  )
}

function toolFinding(named: NamedTool, wrong: readonly Problem[]): Finding {
  const { id, tool } = named
  const name = `tool ${id}`
  const problems = [...wrong]
  const files: ToolFiles = new Map()
  readDeclaredFiles(named, process.cwd(), files, problems)
  const notes = [...files.values()].flatMap((text) => memoryFileNote(named, text) ?? [])
  const [program = ''] = tool.kind === 'mcp' ? tool.config.command : []
  // A relative path is one of its files.
  const isFile = program.includes('/') && !isAbsolute(program)
  if (tool.kind === 'mcp' && !isFile && findOnPath(program) === undefined)
    problems.push({
      where: name,
      what: isAbsolute(program)
        ? `${program} is no program that can be started`
        : `its program ${program} is not on PATH`,
      fix: `Install ${program}.`,
    })
  if (problems.length === 0) return { name, ok: true, state: [stateOf(tool), ...notes].join('; ') }
  const fixes = [...new Set(problems.flatMap(({ fix }) => fix ?? []))]
  return { name, ok: false, state: problems.map(({ what }) => what).join('; '), fix: fixes.join(' ') }
}

function stateOf(tool: NamedTool['tool']): string {
  if (tool.kind === 'workspace') return `workspace: ${tool.config.allow.join(', ')}`
  if (tool.kind === 'memory')
    return `memory${tool.config.file === undefined ? '' : ` of ${tool.config.file}`}`
  return `MCP server ${tool.config.command.join(' ')}; bench run starts it in the sandbox`
}
