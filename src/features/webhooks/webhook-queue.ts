/** What `wake` calls the queue of deliveries. */
export const WEBHOOK_QUEUE = 'webhook deliveries'
