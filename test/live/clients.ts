// @ts-expect-error a script without types
import { cliFolder } from '../../scripts/install-clis.mjs'

/** A client that asks a model in live mode, as test names show it. */
export interface Client {
  /** `provider:model`. */
  agent: string
  /** Runs a line of a shell, where the client has a tool for that. */
  shell?(command: string): { name: string; input: Readonly<Record<string, unknown>> }
}

/** The real programs at the versions of scripts/install-clis.mjs. */
export const programs = [
  {
    agent: 'claude-cli:claude-sonnet-4-5',
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Work' } }),
  },
  { agent: 'codex-cli:gpt-5', shell: (cmd) => ({ name: 'exec_command', input: { cmd } }) },
  {
    agent: 'gemini-cli:gemini-2.5-pro',
    shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'Work' } }),
  },
  {
    agent: 'qwen-cli:qwen3-coder',
    shell: (command) => ({
      name: 'run_shell_command',
      input: { command, description: 'Work', is_background: false },
    }),
  },
  {
    agent: 'opencode-cli:local-model',
    shell: (command) => ({ name: 'bash', input: { command, description: 'Work' } }),
  },
] as const satisfies readonly Required<Client>[]

const [claude, , gemini, qwen] = programs

/** Real agents of the Agent Client Protocol, with the words of their vendors' CLIs. */
export const acpAgents = [
  { agent: 'acp:gemini --acp -m gemini-2.5-pro', shell: gemini.shell },
  { agent: 'acp:qwen --acp -m qwen3-coder', shell: qwen.shell },
  { agent: 'acp:ANTHROPIC_MODEL=claude-sonnet-4-5 claude-code-acp', shell: claude.shell },
] as const satisfies readonly Required<Client>[]

/** The families of vendors over HTTP. */
export const families = [
  { agent: 'anthropic:claude-sonnet-4-5' },
  { agent: 'openai:gpt-5' },
  { agent: 'google:gemini-2.5-pro' },
  { agent: 'openai-compatible:local-model' },
  { agent: 'ollama:test' },
] as const satisfies readonly Client[]

/** Folder of the programs, for PATH. */
export const programFolder = (): string => `${cliFolder()}/node_modules/.bin`

/** A line of a shell that writes a file, whatever stands in it: some programs refuse lines that they cannot read. */
export const writing = (path: string, text: string) =>
  `echo ${Buffer.from(text).toString('base64')} | base64 -d > ${path}`
