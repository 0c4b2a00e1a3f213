process.env.TZ = 'UTC'
// Name look-ups use half of these threads. Of the four default ones, two webhook receivers with unresponsive name
// servers would take all.
process.env.UV_THREADPOOL_SIZE ??= '64'
const { runProgram } = await import('./cli/program.ts')
const code = await runProgram(process.argv.slice(2))
if (code !== 0) process.exit(code)
