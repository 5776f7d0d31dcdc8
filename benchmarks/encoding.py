"""Paragraphs a second, exact: packed encoding against what else encodes the same paragraphs with the same weights.

    python benchmarks/encoding.py [--papers build/demo/papers.parquet] [--paragraphs 128] [--rounds 3]

The gain over padding hangs on how long paragraphs are, so there are two sets: paragraphs as they are, and only those of
at most 200 tokens. sentence-transformers, onnxruntime and OpenVINO sort by length and pad to the longest of a batch of
32, which is the best they offer. All sides include their tokenising.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import torch
from measuring import best_of, embedded, flops, gemm_peak, paragraphs, table

from futex import read_papers
from futex.config import cache_folder
from futex.plm.embedded import EMBEDDED, embedded_folder
from futex.plm.transformer import TransformerPLM

BATCH = 32
Encode = Callable[[list[str]], np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", default="build/demo/papers.parquet")
    parser.add_argument("--paragraphs", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    papers = read_papers(options.papers, limit=40)
    with tempfile.TemporaryDirectory() as folder:
        rivals = {pooling: sides(embedded(pooling), Path(folder)) for pooling in ("cls", "mean")}
        peak = gemm_peak()
        print(f"GEMM peak: {peak / 1e9:.0f} GFLOP/s on {torch.get_num_threads()} cores\n")
        for longest in (200, None):
            compare(rivals, papers, peak, longest, options)
    compare_cores(papers, options)


def compare_cores(papers: list, options) -> None:
    plm = embedded()
    texts = paragraphs(papers, plm, options.paragraphs)
    most = torch.get_num_threads()

    def on(cores: int) -> None:
        torch.set_num_threads(cores)
        plm.embed(texts)

    seconds = best_of({f"{cores} cores": partial(on, cores) for cores in {1, most}}, options.rounds)
    torch.set_num_threads(most)
    rows = [[name, f"{len(texts) / best:.1f}", f"{seconds['1 cores'] / best:.2f}×"] for name, best in seconds.items()]
    table("futex on | paragraphs/s | of one core", rows)


def compare(rivals: dict[str, dict[str, Encode]], papers: list, peak: float, longest: int | None, options) -> None:
    rows = []
    for pooling, encoders in rivals.items():
        plm = embedded(pooling)
        texts = paragraphs(papers, plm, options.paragraphs, longest)
        lengths = [len(ids) for ids in plm.tokens.singles(texts).ids]
        check(encoders, texts[:8])
        seconds = best_of({name: partial(encode, texts) for name, encode in encoders.items()}, options.rounds)
        share = flops(plm, lengths, first_only=pooling == "cls") / seconds["futex"] / peak
        ideal = flops(plm, [512] * len(lengths), first_only=False) / flops(plm, lengths, first_only=pooling == "cls")
        for name, best in seconds.items():
            ratio = best / seconds["futex"]
            note = f"{share:.0%} of peak" if name == "futex" else f"{ideal:.1f}× less arithmetic" * (name == "padded")
            rows.append([pooling, name, f"{len(texts) / best:.1f}", f"{ratio:.2f}×", note])
    kind = f"of at most {longest} tokens" if longest else "as they are"
    print(f"Paragraphs {kind}: {len(texts)}, {np.mean(lengths):.0f} tokens on average")
    table("pooling | encoder | paragraphs/s | futex is faster by | note", rows)


def check(encoders: dict[str, Encode], texts: list[str]) -> None:
    """Exact means: the same vectors as plain transformers."""
    for name, encode in encoders.items():
        np.testing.assert_allclose(encode(texts), encoders["padded"](texts), atol=1e-4, err_msg=name)


def sides(plm: TransformerPLM, folder: Path) -> dict[str, Encode]:
    encoders: dict[str, Encode] = {"futex": lambda texts: plm.embed(texts), "padded": lambda texts: padded(plm, texts)}
    if plm.pooling == "mean":
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(embedded_folder(EMBEDDED["embedded"], cache_folder())), device="cpu")
        model.max_seq_length = 512
        del model[2]  # the last module only normalises
        encoders["sentence-transformers"] = lambda texts: model.encode(texts, batch_size=BATCH)
    onnx = export(plm, folder / "model.onnx")
    encoders["onnxruntime"] = sorted_batches(plm, onnxruntime_forward(onnx))
    encoders["openvino"] = sorted_batches(plm, openvino_forward(onnx))
    return encoders


def padded(plm: TransformerPLM, texts: list[str]) -> np.ndarray:
    """What the research code does at best: batches of 32, every text padded to 512 tokens."""
    vectors = []
    for start in range(0, len(texts), BATCH):
        options = {"padding": "max_length", "truncation": True, "max_length": 512, "return_tensors": "pt"}
        inputs = plm.tokenizer(texts[start : start + BATCH], **options)
        with torch.inference_mode():
            states = plm.model(**inputs).last_hidden_state.numpy()
        vectors.append(pooled(states, inputs["attention_mask"].numpy(), plm.pooling))
    return np.concatenate(vectors)


def pooled(states: np.ndarray, mask: np.ndarray, pooling: str) -> np.ndarray:
    if pooling == "cls":
        return states[:, 0]
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


def sorted_batches(plm: TransformerPLM, forward: Callable[[dict[str, np.ndarray]], np.ndarray]) -> Encode:
    def batches(texts: list[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        order = np.argsort([-len(text) for text in texts], kind="stable")
        for start in range(0, len(texts), BATCH):
            which = order[start : start + BATCH]
            options = {"padding": True, "truncation": True, "max_length": 512, "return_tensors": "np"}
            inputs = dict(plm.tokenizer([texts[i] for i in which], **options))
            yield which, pooled(forward(inputs), inputs["attention_mask"], plm.pooling)

    def encode(texts: list[str]) -> np.ndarray:
        vectors = np.empty((len(texts), plm.dimension), np.float32)
        for which, rows in batches(texts):
            vectors[which] = rows
        return vectors

    return encode


def export(plm: TransformerPLM, path: Path) -> Path:
    """The encoder as ONNX, any batch and any length."""
    if path.exists():
        return path
    inputs = plm.tokenizer(["a b", "c"], padding=True, return_tensors="pt")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "batch", 1: "length"} for name in [*names, "states"]}

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = plm.model

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.model(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state

    torch.onnx.export(
        States().eval(),
        tuple(inputs[name] for name in names),
        str(path),
        input_names=names,
        output_names=["states"],
        dynamic_axes=axes,
        dynamo=False,
        opset_version=17,
    )
    return path


def onnxruntime_forward(path: Path) -> Callable[[dict[str, np.ndarray]], np.ndarray]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return lambda inputs: session.run(None, {name: array.astype(np.int64) for name, array in inputs.items()})[0]


def openvino_forward(path: Path) -> Callable[[dict[str, np.ndarray]], np.ndarray]:
    import openvino

    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": torch.get_num_threads()}
    compiled = openvino.Core().compile_model(str(path), "CPU", settings)
    return lambda inputs: compiled({name: array.astype(np.int64) for name, array in inputs.items()})[0]


if __name__ == "__main__":
    main()
