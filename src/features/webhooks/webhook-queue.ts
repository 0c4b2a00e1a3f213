/** What `wake` calls the queue of deliveries, and the one that fans events out into them. */
export const WEBHOOK_QUEUE = 'webhook deliveries'
export const FAN_OUT_QUEUE = 'webhook events'
