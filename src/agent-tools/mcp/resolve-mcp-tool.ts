import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Files } from '../../schema/task.ts'
import type { Tool } from '../../schema/tool/tool.ts'
import type { ResolvedMcpTool } from '../../schema/tool/tool-set.ts'
import { isVariableName } from '../../schema/variable-name.ts'
import type { Problem } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { allowedTools } from './allowed-tools.ts'
import { connectServer, type NotConnected } from './connect.ts'
import { readToolFiles } from './read-tool-files.ts'
import { cleanTools } from './session.ts'

type McpTool = Extract<Tool, { kind: 'mcp' }>

/** Where a tool is resolved. */
export interface ResolvePlace {
  /** The folder that its files are relative to. */
  cwd: string
  sandbox: SandboxRun
  /** Where the tool is declared; begins each problem. */
  where: string
  signal?: AbortSignal | undefined
  /** How long the server may take to start; ms. */
  startMs?: number
}

/**
 * Finds out what a run needs to know of an MCP tool: reads its files, starts its server once, and lists its tools. Returns all that is
 * wrong, or the tool with notes for the user. Rejects with `InfrastructureError` if the sandbox cannot start a program.
 */
export async function resolveMcpTool(
  id: string,
  { config }: McpTool,
  { cwd, sandbox, where, signal, startMs }: ResolvePlace,
): Promise<{ tool: ResolvedMcpTool; notes: string[] } | { problems: Problem[] }> {
  const { command, env, files: paths, workspace, stateless, timeout_ms, max_bytes, allow } = config
  const { files, digests, problems } = readToolFiles(cwd, paths, `${where}.files`)
  const refused = commandProblem(command, files)
  const found = [
    ...problems,
    ...environmentProblems(env, `${where}.env`),
    ...(refused ? [{ where: `${where}.command`, ...refused }] : []),
  ]
  if (found.length > 0) return { problems: found }
  const connected = await connectServer(
    { command, env, files, workspace: workspace ? {} : undefined, sandbox, signal },
    startMs,
  )
  if ('why' in connected) return { problems: [notConnected(connected, `${where}.command`, paths)] }
  const { process, session } = connected
  await process.stop()
  const listed = cleanTools(session.tools, process)
  const { definitions, notes, problems: wrong } = allowedTools(id, allow, listed, where)
  if (wrong.length > 0) return { problems: wrong }
  return {
    notes,
    tool: {
      kind: 'mcp',
      command,
      files: digests,
      env,
      workspace,
      stateless,
      timeoutMs: timeout_ms,
      maxBytes: max_bytes,
      server: session.server,
      definitions,
    },
  }
}

function notConnected({ why, said }: NotConnected, where: string, paths: readonly string[]): Problem {
  const stderr = said === '' ? '. It printed nothing to stderr' : `. Its stderr ends with:\n${said}`
  const files = paths.length === 0 ? 'no file' : paths.join(', ')
  return {
    where,
    what: `the server ${why}${said === undefined ? '' : stderr}`,
    fix:
      missingModuleFix(said ?? '') ??
      `It runs in the sandbox, without a network and with ${files} of the working folder.`,
  }
}

function environmentProblems(env: Readonly<Record<string, string>>, where: string): Problem[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const what = !isVariableName(name)
      ? 'is not the name of an environment variable'
      : name.startsWith('BENCH_')
        ? 'begins with BENCH_, as only variables of bench do'
        : value.includes('\0')
          ? 'has a value with a NUL character'
          : undefined
    return what === undefined
      ? []
      : [{ where, what: `${JSON.stringify(name)} ${what}`, fix: 'Rename it, or take it out.' }]
  })
}

interface Refusal {
  what: string
  fix: string
}

const fetching = ['npx', 'bunx', 'uvx', 'pipx', 'pnpx']

const fetchingWith: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx', 'exec'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['run', 'tool', 'x'],
}

/** Programs that start others: those are looked at, too. */
const starting = ['env', 'sh', 'bash', 'dash', 'zsh', 'cmd', 'sudo']

const containers = ['docker', 'podman', 'nerdctl']

const bundleNode =
  'Bundle the server into one file, for instance with `npx rolldown server.ts --platform node --no-code-splitting --file server.mjs`, list the file under `files`, and write `command: [node, server.mjs]`.'

const bundlePython =
  'Write the server in one file, or copy the packages that it needs beside it, and list all under `files`: text files alone are taken, so packages with compiled parts cannot be used.'

/** Returns why a command cannot work in the sandbox, if its words say so. */
export function commandProblem(command: readonly string[], files: Files): Refusal | undefined {
  const [first = ''] = command
  const own = files[first.replace(/^(\.\/)+/, '')]
  if (own !== undefined && first.includes('/')) return scriptProblem(command, own)
  if (/\s/.test(first.trim()))
    return {
      what: `the program ${JSON.stringify(first)} has a blank in its name`,
      fix: `Give each word an entry of its own: command: [${[...first.trim().split(/\s+/), ...command.slice(1)].join(', ')}]. No shell reads it.`,
    }
  const words = starting.includes(nameOf(first))
    ? command.slice(1).flatMap((word) => word.trim().split(/\s+/))
    : command
  for (const [at, word] of words.entries()) {
    const name = nameOf(word)
    if (containers.includes(name))
      return { what: `${name} starts a container, which no program in the sandbox can`, fix: bundleNode }
    const isFetching = fetching.includes(name) || (fetchingWith[name]?.includes(words[at + 1] ?? '') ?? false)
    if (isFetching)
      return {
        what: `${shellWord(name)} fetches the server, and the sandbox has no network`,
        fix: name.startsWith('uv') || name === 'pipx' ? bundlePython : bundleNode,
      }
    // Only a program that starts others has the next one among its arguments.
    if (words === command) return undefined
  }
  return undefined
}

/** The system starts a file without such a line in a shell, which reads it as commands. */
function scriptProblem(command: readonly string[], text: string): Refusal | undefined {
  if (text.startsWith('#!')) return undefined
  const [first = '', ...args] = command
  const program = first.endsWith('.py') ? 'python3' : /\.[cm]?js$/.test(first) ? 'node' : 'PROGRAM'
  return {
    what: `${first} does not say which program reads it`,
    fix: `Write command: [${[program, first, ...args].join(', ')}], or begin the file with a line such as \`#!/usr/bin/env node\`.`,
  }
}

const nameOf = (word: string) => word.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd|bat)$/i, '')

/** Returns what to do where a server ended since it found no package or file, by what it printed to stderr. */
export function missingModuleFix(said: string): string | undefined {
  const python = /No module named '?([\w.]+)/.exec(said)?.[1]
  if (python !== undefined)
    return `It found no module ${python}: Python packages of this machine are hidden. ${bundlePython}`
  const node = /Cannot find (?:module|package) '([^']+)'/.exec(said)?.[1]
  if (node === undefined) return undefined
  if (/^(?:\.{0,2}\/|file:)/.test(node))
    return `It found no file ${node.replace(/^(?:file:\/\/)?\/workspace\/server\//, '')}: list each file that it needs under \`files\`.`
  return `It found no package ${node}: packages of this machine are hidden. ${bundleNode}`
}
