import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Tool } from '../../schema/tool/tool.ts'
import type { ResolvedTool } from '../../schema/tool/tool-set.ts'
import { sha256 } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { readToolFiles } from './tool-files.ts'

/** STUB of the branch mcp28: starts nothing. */
export async function resolveMcpTool(
  id: string,
  { config }: Tool & { kind: 'mcp' },
  { cwd }: { cwd: string; sandbox: SandboxRun; where: string },
): Promise<{ tool: ResolvedTool } | { problems: Problem[] }> {
  const { files, problems } = readToolFiles(cwd, config.files)
  if (problems.length > 0) return { problems }
  return {
    tool: {
      kind: 'mcp',
      command: config.command,
      files: Object.entries(files).map(([path, text]) => ({ path, digest: sha256(text) })),
      env: config.env,
      workspace: config.workspace,
      stateless: config.stateless,
      timeoutMs: config.timeout_ms,
      maxBytes: config.max_bytes,
      server: { name: id, version: '0' },
      definitions: config.allow.map((original) => ({
        name: `${id}__${original}`,
        description: original,
        inputSchema: { type: 'object' },
        original,
      })),
    },
  }
}
