/** The log of the agent. */
export type AgentLog = {
  /** The result of a file. */
  outcome(name: string, text: string): void
  /** A problem that the user should know. */
  problem(text: string): void
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a name with a line end must not look like two lines
const CONTROLS = /[\0-\x1f\x7f]/g
const time = () => new Date().toISOString().replace(/\.\d+/, '')
const line = (text: string) => `${time()}  ${text.replace(CONTROLS, '?')}\n`

export const AGENT_LOG: AgentLog = {
  outcome: (name, text) => void process.stdout.write(line(`${name}  ${text}`)),
  problem: (text) => void process.stderr.write(line(text)),
}

/** Reports a lasting problem once, and once that it is resolved. */
export function reportOnce(log: AgentLog, resolvedText: string): { report(text: string): void; resolve(): void } {
  let reported: string | null = null
  return {
    report(text) {
      if (text !== reported) log.problem(text)
      reported = text
    },
    resolve() {
      if (reported !== null) log.problem(resolvedText)
      reported = null
    },
  }
}
