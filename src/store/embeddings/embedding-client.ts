import * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';

export interface EmbeddingsOptions {
  /** Of any OpenAI-compatible server, without `/embeddings`. */
  baseUrl: string;
  model: string;
  apiKey?: string;
  /** How long one request may take. */
  timeoutMs?: number;
}

const responseSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1).max(16_384) })),
});

const DEFAULT_TIMEOUT_MS = 10_000;
/** Models cut longer texts anyway. */
const MAX_CHARACTERS = 8000;

/** Asks an OpenAI-compatible endpoint for vectors. */
export class EmbeddingClient {
  readonly model: string;
  readonly #options: EmbeddingsOptions;

  constructor(options: EmbeddingsOptions) {
    this.model = options.model;
    this.#options = options;
  }

  /** One vector of length 1 for each text, in order. */
  async embed(
    texts: readonly string[],
    timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  ): Promise<Float32Array[]> {
    const parsed = responseSchema.safeParse(await this.#ask(texts, timeoutMs));
    if (!parsed.success) throw this.#failure('its answer is not that of an embeddings endpoint');
    const byIndex = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
    return texts.map((_text, index) => {
      const embedding = byIndex.get(index);
      if (!embedding) throw this.#failure(`it gave ${byIndex.size} vectors for ${texts.length} texts`);
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
        // A redirect could carry the texts and the key to a server that nobody configured.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.ok) return await response.json();
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError';
      const what = error instanceof SyntaxError ? 'its answer is not JSON' : 'it cannot be reached';
      throw this.#failure(late ? `no answer within ${timeoutMs / 1000} s` : what, error);
    }
    await response.body?.cancel();
    throw this.#failure(`it answered ${response.status}`);
  }

  #failure(what: string, cause?: unknown): GuardKitError {
    return new GuardKitError({
      code: 'embeddings.failed',
      kind: 'outside',
      message: `The embeddings endpoint ${new URL(this.#options.baseUrl).origin} failed: ${what}.`,
      hint: 'Check embeddings.baseUrl and embeddings.model. Search goes on without vectors.',
      cause,
    });
  }
}

function normalize(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
}
