/** What the benchmark uses of autocannon, which has no types of its own. */
declare module 'autocannon' {
  export type LoadClient = {
    setRequests(requests: { method?: string; path: string; headers: Record<string, string>; body?: string }[]): void
    on(event: 'response', heard: (status: number) => void): void
  }
  export type Load = {
    url: string
    connections: number
    duration: number
    setupClient?: (client: LoadClient) => void
  }
  export type LoadResult = { duration: number; errors: number; timeouts: number; non2xx: number; '2xx': number }
  export default function autocannon(load: Load): Promise<LoadResult>
}
