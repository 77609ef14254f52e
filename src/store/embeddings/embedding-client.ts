import * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';

export interface EmbeddingsOptions {
  /** Base URL of any OpenAI-compatible server, without `/embeddings`. */
  baseUrl: string;
  model: string;
  apiKey?: string;
  /** Timeout of one request. */
  timeoutMs?: number;
}

const responseSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1).max(16_384) })),
});

const DEFAULT_TIMEOUT_MS = 10_000;
/** Models truncate longer texts anyway. */
const MAX_CHARACTERS = 8000;

export class EmbeddingClient {
  readonly model: string;
  readonly #options: EmbeddingsOptions;

  constructor(options: EmbeddingsOptions) {
    this.model = options.model;
    this.#options = options;
  }

  /** One unit vector per text, in order. */
  async embed(
    texts: readonly string[],
    timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  ): Promise<Float32Array[]> {
    const parsed = responseSchema.safeParse(await this.#ask(texts, timeoutMs));
    if (!parsed.success) throw this.#failure('the response is not an embeddings response');
    const byIndex = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
    return texts.map((_text, index) => {
      const embedding = byIndex.get(index);
      if (!embedding) throw this.#failure(`${byIndex.size} vectors for ${texts.length} texts`);
      return normalize(embedding);
    });
  }

  async #ask(texts: readonly string[], timeoutMs: number): Promise<unknown> {
    const { baseUrl, apiKey, model } = this.#options;
    let response: Response;
    try {
      response = await fetch(`${baseUrl.replace(/\/+$/, '')}/embeddings`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify({ model, input: texts.map((text) => text.slice(0, MAX_CHARACTERS)) }),
        // A redirect could send the texts and the key to a server that nobody configured.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.ok) return await response.json();
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError';
      const what = error instanceof SyntaxError ? 'the response is not JSON' : 'the server cannot be reached';
      throw this.#failure(late ? `no answer within ${timeoutMs / 1000} s` : what, error);
    }
    await response.body?.cancel();
    throw this.#failure(`status ${response.status}`);
  }

  #failure(what: string, cause?: unknown): GuardKitError {
    return new GuardKitError({
      code: 'embeddings.failed',
      kind: 'outside',
      message: `The embeddings endpoint ${new URL(this.#options.baseUrl).origin} failed: ${what}.`,
      hint: 'Check embeddings.baseUrl and embeddings.model. Search works without vectors.',
      cause,
    });
  }
}

function normalize(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
}
