// Stands in for the harness in the probe: starts a sandbox by the harness's own function, and has inherited an open folder.
// node probe-host.mjs MODULE ENVIRONMENT DESCRIPTORS FILE ARG...
const [module, env, descriptors, file, ...args] = process.argv.slice(2)
const { startProcess } = await import(module)
const stdio = Array.from({ length: Number(descriptors) }, (_, fd) => fd)
startProcess(file, args, { env: JSON.parse(env), stdio })
  .on('error', ({ message }) => {
    process.stderr.write(`${message}\n`)
    process.exit(127)
  })
  .on('exit', () => process.exit())
