import { everyEvalEver } from './every-eval-ever.ts'
import type { Exporter } from './exported-trial.ts'
import { harborJob } from './harbor-job.ts'
import { otlp } from './otlp.ts'

/** All formats by the name that `bench export --format` takes. A new format is a file beside these and a line here. */
export const formats: Readonly<Record<string, Exporter>> = {
  otlp,
  atif: harborJob,
  'every-eval-ever': everyEvalEver,
}
