import type { Redactor } from '../redact.ts'
import type { SandboxRun } from '../sandbox/sandbox.ts'

/** The same door, for checks and graders: what a program printed is redacted before anybody reads, joins or cuts it. */
export function redactRun(run: SandboxRun, redact: Redactor | undefined): SandboxRun {
  if (!redact) return run
  return async (command) => {
    const result = await run(command)
    return { ...result, stdout: redact.cut(result.stdout), stderr: redact.cut(result.stderr) }
  }
}
