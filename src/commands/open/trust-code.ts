import { relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { runTool } from '../../sandbox/machine/run-tool.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { moduleOf } from '../agents/agent-digests.ts'
import { agentNamesByRole } from '../agents/make-agents.ts'
import { toolServers } from '../tools/tool-use.ts'
import { verifyOrigin } from './run-origin.ts'

/** Reports whether a run names code that is loaded into this process, or a program that is started for an agent or as a server of tools. */
export function hasUserCode(manifest: RunManifest): boolean {
  return [...codeOf(manifest), ...serversOf(manifest)].length > 0
}

/**
 * Checks before a run folder is resumed or replayed that its code may run. It may if this user started the run, if git tracks
 * the files in the present checkout, or if the user allows it with `--trust-code` or at the terminal. Else throws `UserError`.
 */
export async function requireTrustedCode(
  folder: string,
  manifest: RunManifest,
  { trusted, startsServers, signal }: { trusted: boolean; startsServers: boolean; signal: AbortSignal },
): Promise<void> {
  if (trusted || verifyOrigin(folder)) return
  const foreign: Code[] = []
  // A replay starts no server.
  for (const code of [...codeOf(manifest), ...(startsServers ? serversOf(manifest) : [])])
    if (code.file === undefined || !(await isTracked(code.file))) foreign.push(code)
  if (foreign.length === 0) return
  const names = foreign.map(({ name }) => name).join(', ')
  const what = `was not started by you at this path, and its code would run with your permissions: ${names}`
  if (process.stdin.isTTY && process.stderr.isTTY) {
    process.stderr.write(`${folder} ${what}\n`)
    if (await confirm('Run this code?', signal)) return
  }
  throw new UserError({
    where: folder,
    what,
    fix: 'Read the code, then add --trust-code. bench report, show and state do not run it.',
  })
}

interface Code {
  name: string
  /** Path of the file; undefined for a command. */
  file: string | undefined
}

function codeOf(manifest: RunManifest): Code[] {
  const files = manifest.methods.flatMap(({ file }) =>
    file === undefined ? [] : [resolve(manifest.cwd, file)],
  )
  const scripts = Object.values(agentNamesByRole(manifest)).flatMap((name) => {
    return moduleOf(name, manifest.cwd) ?? []
  })
  const programs = Object.values(manifest.agentSettings ?? {}).flatMap(({ program }) =>
    program ? [program.command.join(' ')] : [],
  )
  return [
    ...[...new Set([...files, ...scripts])].map((file) => ({ name: displayPath(file), file })),
    ...[...new Set(programs)].map((name) => ({ name, file: undefined })),
  ]
}

function serversOf(manifest: RunManifest): Code[] {
  const commands = toolServers(manifest).map(({ command }) => command)
  return [...new Set(commands)].map((name) => ({ name, file: undefined }))
}

function displayPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}

/** A tracked file counts as trusted: it is part of the user's own checkout. */
async function isTracked(file: string): Promise<boolean> {
  const args = ['ls-files', '--error-unmatch', '--', file]
  return !(await runTool('git', args, { timeout: 5000 })).failed
}

/** Asks a yes-or-no question at the terminal. Every answer but `y` or `yes` means no, also Ctrl-C. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `, { signal }).catch(() => '')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
