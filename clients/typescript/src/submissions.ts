import { randomKey } from './idempotency-key.js';

/** How long after a failure the same request counts as the same submission. */
const SAME_SUBMISSION_MS = 10 * 60_000;
const MAX_FAILED_SUBMISSIONS = 20;

interface Submission {
  key: string;
  /** How many requests are running. */
  running: number;
  /** When the last request failed, in milliseconds since 1970. */
  failedAt: number;
}

/**
 * The `Idempotency-Key` of each submission, so that one whose response was lost can be sent again
 * and takes effect once.
 */
export class Submissions {
  private readonly byRequest = new Map<string, Submission>();

  /**
   * Sends a request with the key of its submission: the same one while an equal request is running,
   * and after it has failed.
   *
   * @param request method, path, parameters and body
   */
  async send<Result>(request: string, send: (key: string) => Promise<Result>): Promise<Result> {
    const submission = this.submissionOf(request);
    submission.running++;
    try {
      const result = await send(submission.key);
      // The same request is another submission from now on.
      if (this.byRequest.get(request) === submission) this.byRequest.delete(request);
      return result;
    } catch (error) {
      submission.failedAt = Date.now();
      throw error;
    } finally {
      submission.running--;
    }
  }

  clear(): void {
    this.byRequest.clear();
  }

  private submissionOf(request: string): Submission {
    const earlier = this.byRequest.get(request);
    if (earlier && !isOver(earlier)) return earlier;
    const submission = { key: randomKey(), running: 0, failedAt: 0 };
    this.byRequest.delete(request);
    this.byRequest.set(request, submission);
    this.removeOldest();
    return submission;
  }

  /** Removes the oldest that are not running, because their bodies take memory. */
  private removeOldest(): void {
    for (const [request, { running, failedAt }] of this.byRequest) {
      if (this.byRequest.size <= MAX_FAILED_SUBMISSIONS) return;
      if (running === 0 && failedAt > 0) this.byRequest.delete(request);
    }
  }
}

function isOver({ running, failedAt }: Submission): boolean {
  return running === 0 && Date.now() - failedAt > SAME_SUBMISSION_MS;
}
