process.env.TZ = 'UTC'
// Names are looked up by half of these threads. Of the four that there are by default, two receivers of webhooks whose name
// servers are silent would take all.
process.env.UV_THREADPOOL_SIZE ??= '64'
const { runProgram } = await import('./cli/program.ts')
const code = await runProgram(process.argv.slice(2))
if (code !== 0) process.exit(code)
