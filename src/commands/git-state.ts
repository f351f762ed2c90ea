import { execa } from 'execa'

/** Commit and cleanliness of the folder that bench is called in; null outside a checkout or without git. */
export async function gitState(): Promise<{ commit: string; dirty: boolean } | null> {
  const options = { reject: false, timeout: 5000, stdin: 'ignore' } as const
  const [head, status] = await Promise.all([
    execa('git', ['rev-parse', 'HEAD'], options),
    execa('git', ['status', '--porcelain', '--untracked-files=no'], options),
  ])
  return head.failed ? null : { commit: head.stdout, dirty: status.failed || status.stdout !== '' }
}
