import type { Files } from '../../schema/task.ts'
import { shellWord } from '../../text/shell-word.ts'

/** What a command is refused for before it is started, and what to do. */
interface Refusal {
  what: string
  fix: string
}

/** Programs that fetch a server before they start it. */
const fetching = ['npx', 'bunx', 'uvx', 'pipx', 'pnpx']

/** Programs that fetch one with one of these words. */
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
