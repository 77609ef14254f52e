/** A read of the API: `/api/NAME?…`. */
export interface ReadRequest {
  name: string;
  parameters: Record<string, string>;
}

export interface ReadAnswer {
  status: number;
  /** JSON. */
  body: string;
}
